// What documents link to and name exists.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesOfTree, missingAmong } from '../harness/documents/named-files.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { PROJECT } from '../harness/programs/process.ts';

const files = filesOfTree();
const documents = files.filter(file => file.endsWith('.md'));

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string) => withoutFences(text).replace(/`[^`\n]*`/g, '');

/** What links point to, both as `[text](target)` and as `[label]: target`. */
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(\s*<?([^)>\s]+)[^)]*\)|^\[[^\]]+\]:\s+(\S+)/gm)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter(target => !/^[a-z][a-z0-9+.-]*:/i.test(target));

/** The anchors that a page's headings get. */
const anchorsIn = (text: string) =>
  [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

function linkProblem(from: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? from : path.posix.join(path.posix.dirname(from), decodeURIComponent(target));
  if (!existsSync(path.join(PROJECT, file))) return `${from} links to ${link}, which does not exist`;
  if (anchor && file.endsWith('.md') && !anchorsIn(documentText(file)).includes(anchor))
    return `${from} links to ${link}, but ${file} has no such heading`;
  return undefined;
}

// What is named.

const manifest: { version: string; scripts: Readonly<Record<string, string>> } = JSON.parse(
  documentText('package.json'),
);
const scripts = Object.keys(manifest.scripts);

/** `npm run X`, `npm start` and `npm test`. */
const scriptsNamedIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? '');

/** Paths of this repository; a placeholder such as `<noun>` ends them. */
const pathsNamedIn = (text: string) =>
  [...text.matchAll(/(?<![\w./$-])(?:src|bin|contrib|test|tools|docs|\.ci)\/[\w./-]*/g)].map(([found]) =>
    found.replace(/[./-]+$/, ''),
  );

/** Sources are named by the end of their path too; other documents are linked to. */
const missingOfAll = missingAmong(files);
const missingSources = (text: string) => missingOfAll(text).filter(name => /\.tsx?$/.test(name));

/** Of Hostler, as in the name of its package. */
const versionsNamedIn = (text: string) =>
  [...text.matchAll(/\bhostler[-/](\d+\.\d+\.\d+)\b/g)].map(([, version = '']) => version);

describe.each(documents)('%s', file => {
  const text = documentText(file);

  test('its links lead somewhere', () => {
    expect(linksIn(text).flatMap(link => linkProblem(file, link) ?? [])).toEqual([]);
  });

  test('every npm script it names exists', () => {
    expect(scriptsNamedIn(text).filter(name => !scripts.includes(name))).toEqual([]);
  });

  test('every version that it shows is the present one', () => {
    expect(versionsNamedIn(text).filter(version => version !== manifest.version)).toEqual([]);
  });

  test('every path it names exists', () => {
    expect(pathsNamedIn(text).filter(name => !existsSync(path.join(PROJECT, name)))).toEqual([]);
    expect(missingSources(text)).toEqual([]);
  });
});

describe('what these checks look for is found', () => {
  test('links in each of their forms, but not in code, and not those to other sites', () => {
    const text = [
      '[a](one.md) and [b](two.md#part "title") and [c](https://example.com/)',
      '`[d](not-a-link.md)`',
      '```sh',
      '[e](neither.md)',
      '```',
      '[f]: three.md',
    ].join('\n');
    expect(linksIn(text)).toEqual(['one.md', 'two.md#part', 'three.md']);
  });

  test('a link to a missing file or heading', () => {
    expect(linkProblem('docs/reference/api.md', 'no-such-file.md')).toMatch(/does not exist/);
    expect(linkProblem('docs/reference/api.md', 'errors.md#no-such-heading')).toMatch(/no such heading/);
  });

  test('versions, scripts and paths', () => {
    expect(versionsNamedIn('hostler-0.0.1.tgz, hostler/0.0.2, 0.0.3')).toEqual(['0.0.1', '0.0.2']);
    expect(scriptsNamedIn('npm run nonsense, npm start -- --help, npm test')).toEqual([
      'nonsense',
      'start',
      'test',
    ]);
    expect(pathsNamedIn('see `src/no-such/`, test/x.ts. Not $URL/docs/x, src/app/<noun>/y.ts')).toEqual([
      'src/no-such',
      'test/x.ts',
      'src/app',
    ]);
    expect(missingSources('by `domain/errors.ts`, not `domain/moved.ts` nor [a](no-such.md)')).toEqual([
      'domain/moved.ts',
    ]);
  });
});

test('every document is in the index, or below a page that is', () => {
  const index = documentText('docs/README.md');
  const missing = documents
    .filter(file => /^docs\/(?:admin|concepts|getting-started|guides|reference)\//.test(file))
    .filter(file => !index.includes(`](${path.posix.relative('docs', file)})`));
  expect(missing).toEqual([]);
});
