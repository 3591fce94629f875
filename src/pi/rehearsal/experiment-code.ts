/** The program of the rehearsal's experiment: counts comparisons of both methods on random arrays. */
export const EXPERIMENT_CODE = `import json
import os
import random

SIZES = [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]
REPEATS = 60


def binary_insertion(values):
    count = 0
    run = []
    for value in values:
        low, high = 0, len(run)
        while low < high:
            middle = (low + high) // 2
            count += 1
            if value < run[middle]:
                high = middle
            else:
                low = middle + 1
        run.insert(low, value)
    return run, count


def merge(values):
    if len(values) < 2:
        return list(values), 0
    left, a = merge(values[: len(values) // 2])
    right, b = merge(values[len(values) // 2 :])
    merged, count, i, j = [], a + b, 0, 0
    while i < len(left) and j < len(right):
        count += 1
        if right[j] < left[i]:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:], count


generator = random.Random(int(os.environ.get("HYPO_SEED", "0")))
ratios = {}
for size in SIZES:
    totals = [0, 0]
    for _ in range(REPEATS):
        values = [generator.random() for _ in range(size)]
        for index, sort in enumerate((binary_insertion, merge)):
            result, count = sort(values)
            assert result == sorted(values)
            totals[index] += count
    ratios[size] = totals[0] / totals[1]
    print(size, totals[0] / REPEATS, totals[1] / REPEATS, round(ratios[size], 4))

crossing = next((size for size in SIZES if ratios[size] >= 1), 0)
metrics = {
    "sizes": len(SIZES),
    "sizes_with_fewer": sum(1 for ratio in ratios.values() if ratio < 1),
    "largest_ratio": max(ratios.values()),
    "ratio_at_16": ratios[16],
    "ratio_at_256": ratios[256],
    "crossing_size": crossing,
}
with open("/out/metrics.json", "w") as file:
    json.dump(metrics, file)
`;
