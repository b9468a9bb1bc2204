import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { buildOpenApiDocument } from '../contract/openapi.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import { READERS, TAGS } from '../contract/route-definition.ts';
import { renderDocsPage } from './docs-page.ts';

const toyRoute: RouteDefinition = {
  ...{ method: 'GET', path: '/toys', tag: 'Hosts', summary: 'All toys', roles: READERS, statuses: [200] },
  query: Type.Object({ old: Type.Optional(Type.String({ description: 'Of which year.' })) }),
  response: Type.Object({}),
};
const renderPage = () =>
  renderDocsPage(buildOpenApiDocument('1', { os: [], transport: [] }, { listToys: toyRoute })).html;

test('the page says what a parameter is for', () => {
  expect(renderPage()).toContain('Of which year.');
});

test('the page describes each tag', () => {
  expect(renderPage()).toContain(`<h2 id="Hosts">Hosts</h2><p>${TAGS.Hosts}</p>`);
});

test('the page has the icon of the dashboard', () => {
  const url = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(renderPage())?.[1] ?? '';
  const icon = new URL('../../web/src/ui/icon.svg', import.meta.url);
  const asHtml = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  expect(decodeURIComponent(asHtml(url))).toBe(readFileSync(icon, 'utf8').trim());
});
