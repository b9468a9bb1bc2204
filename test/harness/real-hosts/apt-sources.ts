// Package sources of this machine, which the test hosts also use.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Source {
  readonly uri: string;
  readonly suite: string;
  readonly components: string;
  /** In brackets, or empty. */
  readonly options: string;
}

/** A line of sources.list: `deb [signed-by=…] URI SUITE COMPONENT…`. */
function parseLine(line: string): Source[] {
  const found = /^deb\s+(?:(\[.*?\])\s+)?(\S+)\s+(\S+)\s+(.+)$/.exec(line.trim());
  if (!found) return [];
  const [, options = '', uri = '', suite = '', components = ''] = found;
  return [{ uri, suite, components, options }];
}

/** A deb822 paragraph, which may contain several URIs and suites. */
function parseParagraph(paragraph: string): Source[] {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(paragraph)?.[1]?.trim() ?? '';
  const words = (name: string) => field(name).split(/\s+/).filter(Boolean);
  if (!words('Types').includes('deb') || /^no$/i.test(field('Enabled'))) return [];
  const signedBy = field('Signed-By');
  const options = signedBy.startsWith('/') ? `[signed-by=${signedBy}]` : '';
  const components = field('Components');
  return words('URIs').flatMap(uri => words('Suites').map(suite => ({ uri, suite, components, options })));
}

/** Sources of one release. Third-party archives use other suite names. */
export function parseSources(file: string, text: string, codename: string): Source[] {
  const all = file.endsWith('.sources')
    ? text
        .split('\n')
        .filter(line => !line.startsWith('#'))
        .join('\n')
        .split(/\n\s*\n/)
        .flatMap(parseParagraph)
    : text.split('\n').flatMap(parseLine);
  const suites = [codename, `${codename}-updates`, `${codename}-security`];
  return all.filter(({ suite }) => suites.includes(suite));
}

export interface Archive {
  readonly codename: string;
  /** Archive of the release, without updates. */
  readonly uri: string;
  /** Lines for sources.list. */
  readonly lines: readonly string[];
}

export function machineArchive(): Archive {
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  const folder = '/etc/apt/sources.list.d';
  const listed = existsSync(folder) ? readdirSync(folder).map(name => path.join(folder, name)) : [];
  const files = ['/etc/apt/sources.list', ...listed].filter(file => /\.(list|sources)$/.test(file) && existsSync(file));
  const sources = files.flatMap(file => parseSources(file, readFileSync(file, 'utf8'), codename));
  const uri = sources.find(({ suite }) => suite === codename)?.uri;
  if (uri === undefined) throw new Error(`no archive of "${codename}" is in ${files.join(', ')}`);
  const lines = sources.map(source => ['deb', source.options, source.uri, source.suite, source.components].join(' '));
  return { codename, uri, lines };
}
