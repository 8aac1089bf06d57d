package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

// table has a column for each policy.
func (d *day) table(rows []row) string {
	line := func(heading string, cell func(r row) string) []string {
		cells := []string{heading}
		for _, r := range rows {
			cells = append(cells, cell(r))
		}
		return cells
	}
	rate := func(x float64) string { return fmt.Sprintf("%.0f", x) }
	between := func(s span) string { return fmt.Sprintf("%gs to %gs", s.from.Seconds(), s.to.Seconds()) }
	return "goodput per second, with fixed limits and with one that finds itself\n" + lab.Table([][]string{
		line("limit", func(r row) string { return r.Policy }),
		line(between(d.before()), func(r row) string { return rate(r.Before) }),
		line(between(d.slow()), func(r row) string { return rate(r.Slow) }),
		line(between(d.after()), func(r row) string { return rate(r.After) }),
		line("wasted", func(r row) string { return fmt.Sprint(r.Wasted) }),
		line("p99 ms", func(r row) string { return r.P99.String() }),
		line("settled at", func(r row) string {
			if r.Slots > 0 {
				return "-"
			}
			return fmt.Sprintf("%d-%d", r.Lowest, r.Highest)
		}),
	})
}

const (
	pictureWidth = 64 // columns
	perDoubling  = 2  // lines
)

// picture draws limits over the time: dots for the hasty one, and in front of them l and
// h for the others, or * where these meet. A line is a factor of √2 away from the next.
func picture(duration time.Duration, most int, low, high, hasty []int) string {
	line := func(limit int) int { return int(math.Round(perDoubling * math.Log2(float64(max(1, limit))))) }
	grid := make([][]byte, line(most)+1)
	for i := range grid {
		grid[i] = []byte(strings.Repeat(" ", pictureWidth))
	}
	column := func(at time.Duration) int { return int(at * pictureWidth / duration) }
	draw := func(mark byte, limits []int) {
		for i, limit := range limits {
			x := column(time.Duration(i)*lab.WatchEvery + lab.WatchEvery/2)
			if x >= pictureWidth || limit == 0 { // nobody comes any more
				break
			}
			at := &grid[line(limit)][x]
			if *at == ' ' || *at == '.' || *at == mark {
				*at = mark
			} else {
				*at = '*'
			}
		}
	}
	draw('.', hasty)
	draw('l', low)
	draw('h', high)

	var s strings.Builder
	for i, dots := range slices.Backward(grid) {
		label := ""
		if i%perDoubling == 0 {
			label = fmt.Sprint(1 << (i / perDoubling))
		}
		fmt.Fprintln(&s, strings.TrimRight(fmt.Sprintf("%6s |%s", label, dots), " "))
	}
	fmt.Fprintf(&s, "%6s +%s\n", "", strings.Repeat("-", pictureWidth))
	ticks := ""
	for second := time.Duration(0); second <= duration; second += max(time.Second, (duration / 8).Truncate(time.Second)) {
		text := fmt.Sprintf("%gs", second.Seconds())
		ticks = fmt.Sprintf("%-*s", 8+column(second), ticks) + text
	}
	fmt.Fprintln(&s, ticks)
	return s.String()
}

func bounds(all []int) (least, most int) { return slices.Min(all), slices.Max(all) }

func percent(part, whole float64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*part/whole)
}

func swing(least, most int) string {
	return fmt.Sprintf("%d to %d: %.1f", least, most, float64(most)/float64(max(1, least)))
}
