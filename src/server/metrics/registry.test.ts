import { describe, expect, test } from 'vitest';
import { parseOpenMetrics, parsePrometheusText } from '../../../test/harness/monitoring/metrics-text.ts';
import { counter, gauge, histogram, info } from './metric.ts';
import { formatOpenMetrics, formatPrometheus, Registry } from './registry.ts';

function createRegistry(): Registry {
  const registry = new Registry();
  const { tries, size, build, duration } = registry.create({
    tries: counter('x_tries_total', 'Tries.', { kind: { description: 'few' }, what: { description: 'few' } }),
    size: gauge('x_size_bytes', 'A size.'),
    build: info('x_build_info', 'A version.', { version: { description: 'one' } }),
    duration: histogram('x_took_seconds', 'A time.', [0.5, 1, 10], { of: ['a'] }),
  });
  tries.add(2, 'a', 'b"c\\d');
  size.set(1.5);
  build.set(1, '1.0');
  for (const seconds of [0.1, 0.5, 3, 99]) duration.observe(seconds, 'a');
  return registry;
}

describe('metrics export', () => {
  test('formats OpenMetrics, with family names of counters and infos without their suffix', () => {
    const text = formatOpenMetrics(createRegistry().families);
    expect(text).toBe(
      [
        '# TYPE x_tries counter',
        '# HELP x_tries Tries.',
        'x_tries_total{kind="a",what="b\\"c\\\\d"} 2',
        '# TYPE x_size_bytes gauge',
        '# UNIT x_size_bytes bytes',
        '# HELP x_size_bytes A size.',
        'x_size_bytes 1.5',
        '# TYPE x_build info',
        '# HELP x_build A version.',
        'x_build_info{version="1.0"} 1',
        '# TYPE x_took_seconds histogram',
        '# UNIT x_took_seconds seconds',
        '# HELP x_took_seconds A time.',
        'x_took_seconds_bucket{of="a",le="0.5"} 2',
        'x_took_seconds_bucket{of="a",le="1.0"} 2',
        'x_took_seconds_bucket{of="a",le="10.0"} 3',
        'x_took_seconds_bucket{of="a",le="+Inf"} 4',
        'x_took_seconds_sum{of="a"} 102.6',
        'x_took_seconds_count{of="a"} 4',
        '# EOF',
        '',
      ].join('\n'),
    );
    expect([...parseOpenMetrics(text).keys()]).toHaveLength(4);
  });

  test('formats the Prometheus text format, with complete family names and without EOF', () => {
    const text = formatPrometheus(createRegistry().families);
    expect(text).toContain('# HELP x_tries_total Tries.\n# TYPE x_tries_total counter\nx_tries_total{');
    expect(text).toContain('# TYPE x_build_info gauge\nx_build_info{version="1.0"} 1\n');
    expect(text).not.toContain('EOF');
    expect([...parsePrometheusText(text).keys()]).toEqual([
      'x_tries_total',
      'x_size_bytes',
      'x_build_info',
      'x_took_seconds',
    ]);
  });

  test.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [1e21, '1e+21'],
    [-0.25, '-0.25'],
  ])('formats the number %d', (value, text) => {
    const registry = new Registry();
    registry.create({ x: gauge('x', 'X.') }).x.set(value);
    expect(formatPrometheus(registry.families)).toContain(`\nx ${text}\n`);
  });

  test('exports known series as 0 from the start', () => {
    const registry = new Registry();
    registry.create({
      x: counter('x_total', 'X.', { a: ['b', 'c'], d: ['e'] }),
      y: counter('y_total', 'Y.', { a: { description: 'names' } }),
    });
    const [x, y] = registry.families;
    expect([...(x?.samples() ?? [])].map(({ labels, value }) => [labels, value])).toEqual([
      ['a="b",d="e"', 0],
      ['a="c",d="e"', 0],
    ]);
    expect([...(y?.samples() ?? [])]).toEqual([]);
  });

  test('rejects a wrong number of label values', () => {
    const registry = new Registry();
    const both = gauge('x', 'X.', { a: { description: 'few' }, b: { description: 'few' } });
    expect(() => registry.create({ both }).both.set(1, 'a')).toThrow('x has the labels a, b, not 1 values');
  });
});
