import { expect, test } from 'vitest';
import { wantsOpenMetrics } from './wants-open-metrics.ts';

const OPEN = 'application/openmetrics-text';

test.each([
  [
    'Prometheus 2',
    `${OPEN};version=1.0.0,${OPEN};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
  ],
  [
    'Prometheus 3',
    `${OPEN};version=1.0.0;escaping=allow-utf-8;q=0.6,${OPEN};version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,*/*;q=0.2`,
  ],
  ['the name alone', OPEN],
  ['capitals and spaces', 'Application/OpenMetrics-Text ; Version="1.0.0" , */* ; Q=0.3'],
  ['both alike', `text/plain, ${OPEN}`],
])('OpenMetrics is for whoever asks for it: %s', (_who, accept) => {
  expect(wantsOpenMetrics(accept)).toBe(true);
});

test.each([
  ['nobody said anything', undefined],
  ['nothing', ''],
  ['anything', '*/*'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['a version that we do not write', `${OPEN};version=0.0.1`],
  ['rather the older form', `${OPEN};q=0.2,text/plain;q=0.9`],
  ['not that', `${OPEN};q=0,text/plain`],
  ['a weight that is none', `${OPEN};q=much`],
])('the older form is for all others: %s', (_who, accept) => {
  expect(wantsOpenMetrics(accept)).toBe(false);
});
