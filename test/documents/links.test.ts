import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMissingFileFinder, listFiles } from '../harness/documents/file-references.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

const files = listFiles();
const documents = files.filter(file => file.endsWith('.md'));

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string) => withoutFences(text).replace(/`[^`\n]*`/g, '');

/** Link targets, both as `[text](target)` and as `[label]: target`. */
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(\s*<?([^)>\s]+)[^)]*\)|^\[[^\]]+\]:\s+(\S+)/gm)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter(target => !/^[a-z][a-z0-9+.-]*:/i.test(target));

/** Anchors of the headings of a page. */
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
  if (anchor && file.endsWith('.md') && !anchorsIn(readDocument(file)).includes(anchor))
    return `${from} links to ${link}, but ${file} has no such heading`;
  return undefined;
}

const manifest: { version: string; scripts: Readonly<Record<string, string>> } = JSON.parse(
  readDocument('package.json'),
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

/** Documents can name sources by the end of their path. Other documents are linked. */
const missingFiles = createMissingFileFinder(files);
const missingSources = (text: string) => missingFiles(text).filter(name => /\.tsx?$/.test(name));

/** Versions of Hostler, as in the name of its package. */
const versionsNamedIn = (text: string) =>
  [...text.matchAll(/\bhostler[-/](\d+\.\d+\.\d+)\b/g)].map(([, version = '']) => version);

describe.each(documents)('%s', file => {
  const text = readDocument(file);

  test('has valid links', () => {
    expect(linksIn(text).flatMap(link => linkProblem(file, link) ?? [])).toEqual([]);
  });

  test('names existing npm scripts', () => {
    expect(scriptsNamedIn(text).filter(name => !scripts.includes(name))).toEqual([]);
  });

  test('shows the current version', () => {
    expect(versionsNamedIn(text).filter(version => version !== manifest.version)).toEqual([]);
  });

  test('names existing paths', () => {
    expect(pathsNamedIn(text).filter(name => !existsSync(path.join(PROJECT, name)))).toEqual([]);
    expect(missingSources(text)).toEqual([]);
  });
});

describe('the checks of documents', () => {
  test('find links in each form, but not in code or to other sites', () => {
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

  test('find a link to a missing file or heading', () => {
    expect(linkProblem('docs/reference/api.md', 'no-such-file.md')).toMatch(/does not exist/);
    expect(linkProblem('docs/reference/api.md', 'errors.md#no-such-heading')).toMatch(/no such heading/);
  });

  test('find versions, scripts and paths', () => {
    expect(versionsNamedIn('hostler-0.0.1.tgz, hostler/0.0.2, 0.0.3')).toEqual(['0.0.1', '0.0.2']);
    expect(scriptsNamedIn('npm run nonsense, npm start -- --help, npm test')).toEqual(['nonsense', 'start', 'test']);
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

test('every document is in the index', () => {
  const index = readDocument('docs/README.md');
  const missing = documents
    .filter(file => /^docs\/(?:admin|concepts|getting-started|guides|reference)\//.test(file))
    .filter(file => !index.includes(`](${path.posix.relative('docs', file)})`));
  expect(missing).toEqual([]);
});
