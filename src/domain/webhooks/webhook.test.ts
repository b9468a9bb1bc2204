import { expect, test } from 'vitest';
import { toRecordName } from '../record-name.ts';
import { Secret } from '../secret.ts';
import { EVENT_TYPES } from '../vocabulary.ts';
import { expandEventTypes } from './webhook.ts';
import { parseRetryAfter, webhookMessage } from './webhook-message.ts';

test.each([
  [['*'], EVENT_TYPES],
  [['host.status'], ['host.status']],
  [['network.*', 'host.status'], EVENT_TYPES.filter(type => /^network\.|^host\.status$/.test(type))],
  [['host'], []],
  [['host*'], []],
  [['hosts.*'], []],
  [['*.created'], []],
  [['.*'], []],
  [[''], []],
])('the patterns %j expand to their event types', (patterns, types) => {
  expect(expandEventTypes(patterns)).toEqual(types);
});

test('a message is signed over its time and body', () => {
  const nothing = { cluster: null, host: null, operation: null, data: {} };
  const event = { id: 7, type: 'network.removed', at: '2030-01-01T00:00:00.000000', ...nothing } as const;
  const webhook = { name: toRecordName('chat'), secret: new Secret('s') };
  const { headers, body } = webhookMessage(webhook, event, 1_900_000_000_999);
  expect(body).toBe(
    '{"id":7,"type":"network.removed","at":"2030-01-01T00:00:00.000000","cluster":null,"host":null,"operation":null,"data":{}}',
  );
  // Computed with openssl dgst -sha256 -hmac s.
  expect(headers['hostler-signature']).toBe(
    't=1900000000,v1=2335e2befbea1cf8061eb5b187d85d50c4a4a6e06dec18b16fd639341ba0bd22',
  );
});

const NOW_MS = Date.UTC(2030, 0, 1);

test.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['-1', undefined],
  ['soon', undefined],
  ['9'.repeat(400), undefined],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['Tue, 01 Jan 2020 00:01:00 GMT', 0],
])('Retry-After: %s is a delay of %s ms', (text, ms) => {
  expect(parseRetryAfter(text, NOW_MS)).toBe(ms);
});
