// Draws the tables that are courses over time, in the language and the theme of the page. `language` and `durations` are those of `pages.js`.

const CHART_HEIGHT_PX = 200;
const BAR_WIDTH_MAX_PX = 44;
const COUNT_STEPS = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 9 }, (_, i) => n * 10 ** i))
  .sort((a, b) => a - b);
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50].map((n) => n * DAY_MS),
];
const SPAN_STEPS = [1, 2, 3, 7, 14, 28];
const counts = new Intl.NumberFormat(language === 'ar' ? 'ar-MA' : language || 'fr', { notation: 'compact' });
const isFromTheRight = document.documentElement.dir === 'rtl';
const charts = [];

/** All of it: rounded, as sentences have it, two lines of a scale could have one name. */
function exactly(ms) {
  return durations.format({
    days: Math.floor(ms / DAY_MS),
    hours: Math.floor((ms % DAY_MS) / HOUR_MS),
    minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS),
    seconds: Math.floor((ms % MINUTE_MS) / SECOND_MS),
  });
}

/** What a table has, column by column: its words, numbers and colours. */
function columnsOf(table) {
  const rows = [...table.tBodies[0].rows];
  return [...table.tHead.rows[0].cells].map((head, i) => {
    const swatch = head.querySelector('.swatch');
    return {
      label: head.textContent.trim(),
      color: swatch && getComputedStyle(swatch).backgroundColor,
      shown: rows.map(({ cells }) => cells[i].textContent.trim()),
      values: rows.map(({ cells }) =>
        cells[i].dataset.value === '' ? null : Number(cells[i].dataset.value),
      ),
    };
  });
}

/** Bars stand on one another: each part reaches from the ground to its own end, and those that reach further are drawn first. */
function stacked(parts) {
  let below = parts[0].values.map(() => 0);
  const tops = parts.map(({ values }) => {
    below = values.map((value, i) => value + below[i]);
    return below;
  });
  return parts.map((part, i) => ({ ...part, tops: tops[i] })).reverse();
}

function seriesOf({ label, color, shown }, isLine) {
  const look = isLine
    ? { stroke: color, width: 2, points: { show: true, size: 6, fill: color }, spanGaps: true }
    : { fill: color, paths: uPlot.paths.bars({ size: [0.7, BAR_WIDTH_MAX_PX] }), points: { show: false } };
  return { label, value: (_u, _value, _series, i) => shown[i] ?? '', ...look };
}

/** The beginning of what a day is called, `22/11/2026`: with its year where there are several. */
function dayNames(days) {
  const years = new Set(days.map((day) => day.slice(6, 10)));
  return days.map((day) => (years.size > 1 ? day.slice(3, 10) : day.slice(0, 5)));
}

function axesOf(place, days, isLine) {
  const names = dayNames(days);
  const { color, fontFamily, borderBottomColor } = getComputedStyle(place);
  const look = { stroke: color, font: `12px ${fontFamily}`, ticks: { show: false } };
  const grid = { stroke: borderBottomColor, width: 1 };
  return [
    {
      ...look,
      grid: { show: false },
      incrs: SPAN_STEPS,
      space: 60,
      values: (_u, splits) => splits.map((i) => names[i] ?? ''),
    },
    {
      ...look,
      grid,
      side: isFromTheRight ? 1 : 3,
      size: isLine ? 66 : 46,
      incrs: isLine ? TIME_STEPS : COUNT_STEPS,
      values: (_u, splits) => splits.map((n) => (n === 0 ? '0' : isLine ? exactly(n) : counts.format(n))),
    },
  ];
}

function draw(place) {
  const isLine = place.dataset.chart === 'line';
  const details = place.nextElementSibling;
  const [days, ...parts] = columnsOf(details.querySelector('table'));
  const drawn = isLine ? parts.map((part) => ({ ...part, tops: part.values })) : stacked(parts);
  const options = {
    width: place.clientWidth,
    height: CHART_HEIGHT_PX,
    scales: {
      x: { time: false, dir: isFromTheRight ? -1 : 1, range: () => [-0.5, days.shown.length - 0.5] },
      y: { range: (_u, _least, most) => [0, Math.max(1, most) * 1.08] },
    },
    series: [
      // A label of nothing would be uPlot's own word.
      { label: ' ', value: (_u, i) => days.shown[i] ?? '' },
      ...drawn.map((part) => seriesOf(part, isLine)),
    ],
    axes: axesOf(place, days.shown, isLine),
    cursor: { y: false, drag: { x: false, y: false }, points: { show: isLine } },
  };
  const chart = new uPlot(options, [days.shown.map((_, i) => i), ...drawn.map(({ tops }) => tops)], place);
  return { chart, place };
}

function drawAll() {
  for (const { chart } of charts.splice(0)) chart.destroy();
  for (const place of document.querySelectorAll('[data-chart]')) charts.push(draw(place));
}

for (const place of document.querySelectorAll('[data-chart]')) {
  place.hidden = false;
  place.nextElementSibling.open = false;
}
drawAll();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
new ResizeObserver(() => {
  for (const { chart, place } of charts) chart.setSize({ width: place.clientWidth, height: CHART_HEIGHT_PX });
}).observe(document.getElementById('main'));
