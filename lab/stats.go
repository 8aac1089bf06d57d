package lab

// Stats is a snapshot of a controller's counters. Running never exceeds Slots
// and Waiting never exceeds MaxWaiting. While requests are in flight the
// counters may have been read a moment apart; when none is, Running and Waiting
// are 0 and Arrived is the number of calls made.
type Stats struct {
	Running  int `json:"running"`   // requests being worked on
	Waiting  int `json:"waiting"`   // requests in line
	PeakLine int `json:"peak_line"` // the longest the line has been

	Arrived           int `json:"arrived"` // the four below, and those waiting
	Admitted          int `json:"admitted"`
	ShedLineFull      int `json:"shed_line_full"`
	ShedWaitedTooLong int `json:"shed_waited_too_long"`
	Gone              int `json:"gone"` // ctx was done before they got a slot
}

// Stats returns the counters as they are now.
func (c *Controller) Stats() Stats {
	s := Stats{
		Running:           len(c.slots),
		Waiting:           c.line.length(),
		Admitted:          int(c.admitted.Load()),
		ShedLineFull:      int(c.shedLineFull.Load()),
		ShedWaitedTooLong: int(c.shedWaitedTooLong.Load()),
		Gone:              int(c.gone.Load()),
	}
	s.PeakLine = max(s.Waiting, int(c.line.peak.Load()))
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}
