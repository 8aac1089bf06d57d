package lab

import (
	"fmt"
	"math"
	"time"
)

// NoLimit says, in [Limits].MaxWaiting or MaxWait, that there is no limit. It
// has to be written down: a limit that is left out is the strictest one.
const NoLimit = -1

// maxRetryAfter bounds Limits.RetryAfter: a client told to come back in more
// than a day has been told nothing.
const maxRetryAfter = 24 * time.Hour

// Limits bound what a [Controller] lets in. The zero value of every bound is
// the strictest: no line, no waiting. Slots has no useful zero value.
type Limits struct {
	Slots      int           // requests worked on at the same time, at least 1
	MaxWaiting int           // longest line, in requests; 0 = no line at all; or NoLimit
	MaxWait    time.Duration // longest wait in line; 0 = do not wait; or NoLimit
	RetryAfter time.Duration // what a turned-away client is told, 0 to 24h
}

func (l Limits) validate() error {
	switch {
	case l.Slots < 1:
		return fmt.Errorf("limits: Slots is %d, want at least 1", l.Slots)
	case l.MaxWaiting < 0 && l.MaxWaiting != NoLimit:
		return fmt.Errorf("limits: MaxWaiting is %d, want at least 0, or NoLimit", l.MaxWaiting)
	case l.MaxWait < 0 && l.MaxWait != NoLimit:
		return fmt.Errorf("limits: MaxWait is %v, want at least 0s, or NoLimit", l.MaxWait)
	case l.RetryAfter < 0 || l.RetryAfter > maxRetryAfter:
		return fmt.Errorf("limits: RetryAfter is %v, want 0s to 24h", l.RetryAfter)
	}
	return nil
}

// LittlesLaw returns the length of a line that moves at rate, in requests per
// second, and in which the last one waits for wait: rate × wait, to the nearest
// whole number. It is the MaxWaiting for a wait that is worth while, as long as the
// service keeps that rate (J. D. C. Little, "A Proof for the Queuing Formula:
// L = λW", Operations Research, 1961).
func LittlesLaw(rate float64, wait time.Duration) int {
	return int(math.Round(rate * wait.Seconds()))
}

// inside is how many requests may be in a slot or in line at once.
func (l Limits) inside() int64 {
	slots := int64(l.Slots)
	switch {
	case l.MaxWait == 0: // nobody stands in line
		return slots
	case l.MaxWaiting == NoLimit, int64(l.MaxWaiting) > math.MaxInt64-slots:
		return math.MaxInt64
	}
	return slots + int64(l.MaxWaiting)
}

// A Reason says why a request was shed, in one word of lower-case letters and
// underscores.
type Reason string

const (
	LineFull      Reason = "line_full"       // every slot busy and no place left in line
	WaitedTooLong Reason = "waited_too_long" // stood in line for MaxWait without getting a slot
)

// The reasons that have to do with a deadline. The first is that of [Protect], for a
// request that is gone; the second is that of a [DeadlineGate].
const (
	DeadlinePassed Reason = "deadline_passed" // before there was a slot
	WouldBeLate    Reason = "would_be_late"   // the deadline would pass before the work is done
)

// Overloaded is the error of a request that was shed. Find it with
// [errors.AsType]. A Controller returns the same value to many callers: do not
// change it.
type Overloaded struct {
	Reason     Reason
	RetryAfter time.Duration // when the client may try again
}

func (e *Overloaded) Error() string { return "overloaded: " + string(e.Reason) }
