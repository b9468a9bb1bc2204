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

export const metricsTables = () =>
  Object.entries(CATALOGUE)
    .map(([about, metrics]) => {
      const rows = metrics.map(metric => [
        code(metric.name),
        metric.kind,
        metric.of,
        metric.help,
        labelsCell(metric),
      ]);
      return `### ${about}\n\n${table(['metric', 'kind', 'of the', 'meaning', 'labels'], rows)}`;
    })
    .join('\n\n');
