import { fastify } from 'fastify';
import Type from 'typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Deprecation } from '../../contract/deprecation.ts';
import type { Route } from '../../contract/route.ts';
import { READERS } from '../../contract/route.ts';
import { createLog } from '../../lib/log.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import { bodyLimits } from '../checks/body-limits.ts';
import { serveRoute } from '../serve-route.ts';
import { DeprecatedUses } from './deprecated-uses.ts';

const deprecation: Deprecation = { since: '2026-11-15', sunset: '2027-06-01', instead: 'use another toy' };
const HEADERS = {
  deprecation: '@1794700800',
  sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  link: '</docs#putToy>; rel="deprecation"; type="text/html"',
};

/** One for all: each listens to where it writes. */
const silent = createLog('silent', false);

interface Line {
  readonly thing: string;
}

/** A server with one row, which answers with these headers of its own. */
function toyServer(deprecations: readonly Deprecation[] | undefined, headers?: Record<string, string>) {
  const lines: Line[] = [];
  const time = { nowMs: Date.UTC(2026, 11, 1) };
  const log = Object.assign(Object.create(silent), { warn: (line: Line) => void lines.push(line) });
  const uses = new DeprecatedUses(log, { now: () => time.nowMs, monotonicMs: () => time.nowMs });
  const server = fastify();
  onTestFinished(() => server.close());
  server.decorateRequest('actor', undefined);
  server.addHook('onRequest', async request => {
    Object.assign(request, { actor: { account: request.headers['x-account'] ?? 'ann' } });
  });
  const row: Route = {
    ...{ method: 'PUT', path: '/toy/{name}', aliases: ['/plaything/{name}'] },
    ...{ tag: 'Toys', summary: 'A toy', roles: READERS, statuses: [200] },
    ...{ query: Type.Object({}), body: Type.Object({}), answer: Type.Object({}) },
    ...(deprecations && { deprecations }),
  };
  const handle = async () => ({ body: {}, ...(headers && { headers }) });
  const limits = bodyLimits({ bodyBytes: 1_000_000, members: 1, bulkHosts: 1 });
  serveRoute(server, { name: 'putToy', row, handle }, { repeatedPutStatus: 200, limits, uses });
  const put = async (url: string, body: object = {}, account = 'ann') =>
    (await server.inject({ method: 'PUT', url, body, headers: { 'x-account': account } })).headers;
  return { put, lines, time };
}

describe('answers say what is deprecated', () => {
  test.each<[string, Deprecation['of'], string, object, boolean]>([
    ['a whole row', undefined, '/toy/x', {}, true],
    ['a whole row, by another path', undefined, '/plaything/x', {}, true],
    ['a path', { kind: 'alias', name: '/plaything/{name}' }, '/plaything/x', {}, true],
    ['not the other path', { kind: 'alias', name: '/plaything/{name}' }, '/toy/x', {}, false],
    ['a parameter that is sent', { kind: 'parameter', name: 'old' }, '/toy/x?old=', {}, true],
    ['not one that is not', { kind: 'parameter', name: 'old' }, '/toy/x?new=1', {}, false],
    ['a field that is sent', { kind: 'field', name: 'colour' }, '/toy/x', { colour: null }, true],
    ['not one that is not', { kind: 'field', name: 'colour' }, '/toy/x', { shape: 1 }, false],
    ['not what every object has', { kind: 'field', name: 'toString' }, '/toy/x', {}, false],
    ['a field that is left out', { kind: 'left-out field', name: 'colour' }, '/toy/x', {}, true],
    ['not a field of the answer', { kind: 'answer field', name: 'colour' }, '/toy/x', { colour: 1 }, false],
    ['not one that is there', { kind: 'left-out field', name: 'colour' }, '/toy/x', { colour: 1 }, false],
  ])('%s', async (_what, of, url, body, isTold) => {
    const { put, lines } = toyServer([{ ...deprecation, ...(of && { of }) }]);
    const headers = await put(url, body);
    const told = Object.fromEntries(Object.keys(HEADERS).map(name => [name, headers[name]]));
    const link = HEADERS.link.replace('putToy', url.startsWith('/toy') ? 'putToy' : 'putToyAlias');
    expect(told).toEqual(isTold ? { ...HEADERS, link } : {});
    expect(lines.length).toBe(isTold ? 1 : 0);
  });

  test('and nothing of a row without anything deprecated', async () => {
    expect(await toyServer(undefined).put('/toy/x')).not.toHaveProperty('deprecation');
  });

  test('where the way goes on, and links of the answer itself stay', async () => {
    const { put } = toyServer([{ ...deprecation, successor: '/game/{name}' }], {
      link: '</more>; rel="next"',
    });
    expect((await put('/toy/a%2Fb'))['link']).toBe(
      `</more>; rel="next", ${HEADERS.link}, </game/a%2Fb>; rel="successor-version"`,
    );
  });

  test('with the earliest days, where there are several', async () => {
    const field = { kind: 'field', name: 'colour' } as const;
    const { put } = toyServer([
      { since: '2026-12-01', sunset: '2027-06-01', instead: 'go' },
      { since: '2026-11-15', instead: 'stay', of: field },
    ]);
    expect(await put('/toy/x', { colour: 1 })).toMatchObject(HEADERS);
  });
});

describe('the log says who uses what is deprecated', () => {
  test('once a day for each thing and account, with how often it was the day before', async () => {
    const { put, lines, time } = toyServer([
      deprecation,
      { ...deprecation, of: { kind: 'field', name: 'colour' } },
    ]);
    for (const account of ['ann', 'ann', 'bob']) await put('/toy/x', {}, account);
    await put('/toy/x', { colour: 1 });
    time.nowMs += DAY_MS;
    for (const account of ['bob', 'ann', 'ann']) await put('/toy/x', {}, account);
    time.nowMs += 2 * DAY_MS;
    await put('/toy/x');
    const [whole, field] = ['`PUT /toy/{name}`', 'the field `colour` of `PUT /toy/{name}`'];
    expect(lines).toMatchObject([
      { thing: whole, account: 'ann', usesTheDayBefore: 0, address: '127.0.0.1', ...deprecation },
      { thing: whole, account: 'bob', usesTheDayBefore: 0 },
      { thing: field, account: 'ann', usesTheDayBefore: 0 },
      { thing: whole, account: 'bob', usesTheDayBefore: 1 },
      { thing: whole, account: 'ann', usesTheDayBefore: 3 },
      { thing: whole, account: 'ann', usesTheDayBefore: 0 },
    ]);
  });
});
