package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Lists of numbers in a flag, as in 0.5,1,2, and rates in a text.

func numbers(text string) ([]float64, error) {
	const most = 100
	var list []float64
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(x > 0 && x <= 1e9) || len(list) == most {
			return nil, errors.New("want numbers above 0, such as 0.5,1,2, and at most 100 of them")
		}
		list = append(list, x)
	}
	return list, nil
}

func list(numbers []float64) string {
	var parts []string
	for _, x := range numbers {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// perSecond is a rate to a tenth of a request.
func perSecond(rate float64) string {
	return strconv.FormatFloat(math.Round(rate*10)/10, 'f', -1, 64) + "/s"
}
