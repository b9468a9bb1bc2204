import type { Event } from '../../../src/contract/event-payloads.ts';

export const createEvent = (id: number, fields: Partial<Event> = {}): Event => ({
  ...{ id, type: 'host.status', at: '2026-11-15T12:00:00.000000' },
  ...{ cluster: null, host: null, operation: null, data: {} },
  ...fields,
});
