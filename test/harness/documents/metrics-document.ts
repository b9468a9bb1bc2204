import type { Metric } from '../../../src/server/metrics/metric.ts';
import { METRIC_CATALOG } from '../../../src/server/metrics/metrics-service.ts';
import { code, table } from './markdown-table.ts';

function labelsCell({ labels }: Metric): string {
  const told = Object.entries(labels).map(([label, values]) => {
    const meant = 'description' in values ? values.description : values.map(code).join(', ');
    return `${code(label)}: ${meant}`;
  });
  return told.join('; ');
}

/** One table, in which a row without cells begins each group. */
export const metricsTables = () =>
  table(
    ['metric', 'kind', 'of the', 'meaning', 'labels'],
    Object.entries(METRIC_CATALOG).flatMap(([about, metrics]) => [
      [`**${about}**`, '', '', '', ''],
      ...metrics.map(metric => [
        code(metric.name),
        metric.kind,
        metric.scope,
        metric.help,
        labelsCell(metric),
      ]),
    ]),
  );
