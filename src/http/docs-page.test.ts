import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { buildInlineDocument } from '../contract/openapi.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import { READERS, TAGS } from '../contract/route-definition.ts';
import { renderDocsPage } from './docs-page.ts';

const exampleRoute: RouteDefinition = {
  ...{
    method: 'GET',
    path: '/examples',
    tag: 'Hosts',
    summary: 'List examples',
    roles: READERS,
    statuses: [200],
  },
  query: Type.Object({ year: Type.Optional(Type.String({ description: 'Filter by year.' })) }),
  response: Type.Object({}),
};
const renderPage = () =>
  renderDocsPage(buildInlineDocument('1', { os: [], transport: [] }, { listExamples: exampleRoute })).html;

test('the docs page contains the descriptions of parameters', () => {
  expect(renderPage()).toContain('Filter by year.');
});

test('the docs page contains the descriptions of tags', () => {
  expect(renderPage()).toContain(`<h2 id="Hosts">Hosts</h2><p>${TAGS.Hosts}</p>`);
});

test('the docs page has the icon of the dashboard', () => {
  const url = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(renderPage())?.[1] ?? '';
  const icon = new URL('../../web/src/ui/icon.svg', import.meta.url);
  const asHtml = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  expect(decodeURIComponent(asHtml(url))).toBe(readFileSync(icon, 'utf8').trim());
});
