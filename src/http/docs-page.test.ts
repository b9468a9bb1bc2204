import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { expect, test } from 'vitest';
import type { Deprecation } from '../contract/deprecation.ts';
import { openApiDocument } from '../contract/openapi.ts';
import type { Route } from '../contract/route.ts';
import { READERS } from '../contract/route.ts';
import { docsPage } from './docs-page.ts';

const toy: Route = {
  ...{ method: 'GET', path: '/toys', tag: 'Toys', summary: 'All toys', roles: READERS, statuses: [200] },
  query: Type.Object({ old: Type.Optional(Type.String({ description: 'Of which year.' })) }),
  answer: Type.Object({}),
};
const deprecation: Deprecation = { since: '2026-11-15', instead: 'use `year`' };
const SENTENCE = 'Deprecated since 2026-11-15: use <code>year</code>.';

const pageOf = (...deprecations: Deprecation[]) =>
  docsPage(openApiDocument('1', { os: [], transport: [] }, { listToys: { ...toy, deprecations } })).html;

test('the page says what is deprecated, and why', () => {
  const page = pageOf(deprecation);
  expect(page).toContain('<em>deprecated</em> All toys');
  expect(page).toContain(SENTENCE);
});

test('the page says which parameter is deprecated, after what it is for, and calls nothing else so', () => {
  const page = pageOf({ ...deprecation, of: { kind: 'parameter', name: 'old' } });
  expect(page).toContain(`Of which year. ${SENTENCE}`);
  expect(page).not.toContain('<em>deprecated</em>');
});

test('the page has the icon of the dashboard', () => {
  const url = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(pageOf())?.[1] ?? '';
  const icon = new URL('../../web/src/ui/icon.svg', import.meta.url);
  const asHtml = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  expect(decodeURIComponent(asHtml(url))).toBe(readFileSync(icon, 'utf8').trim());
});
