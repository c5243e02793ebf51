/* A part of those modules that tell who comes first. */

/* The number-th best of some scores, or the last; puts them into another order. Three ways apart, for many are equal. */
static double nth_best(double *scores, Py_ssize_t count, Py_ssize_t number)
{
    Py_ssize_t low = 0, high = count, wanted = (number < count ? number : count) - 1;
    while (high - low > 1) {
        double pivot = scores[low + (high - low) / 2];
        Py_ssize_t better = low, at = low, worse = high;
        while (at < worse) {
            double score = scores[at];
            if (score > pivot) {
                scores[at++] = scores[better];
                scores[better++] = score;
            } else if (score < pivot) {
                scores[at] = scores[--worse];
                scores[worse] = score;
            } else
                at++;
        }
        if (wanted < better)
            high = better;
        else if (wanted >= worse)
            low = worse;
        else
            return pivot;
    }
    return scores[low];
}
