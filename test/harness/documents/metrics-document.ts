import { CATALOGUE } from '../../../src/server/metrics/catalogue.ts';
import type { Metric } from '../../../src/server/metrics/metric.ts';
import { code, table } from './markdown-table.ts';

function labelsCell({ labels }: Metric): string {
  const told = Object.entries(labels).map(([label, values]) => {
    const meant = 'bound' in values ? values.bound : values.map(code).join(', ');
    return `${code(label)}: ${meant}`;
  });
  return told.join('; ');
}

/** One table, in which a row without cells begins each group. */
export const metricsTables = () =>
  table(
    ['metric', 'kind', 'of the', 'meaning', 'labels'],
    Object.entries(CATALOGUE).flatMap(([about, metrics]) => [
      [`**${about}**`, '', '', '', ''],
      ...metrics.map(metric => [code(metric.name), metric.kind, metric.of, metric.help, labelsCell(metric)]),
    ]),
  );
