// Every word that people meet is explained in its document.

import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENT_VARIABLES, EXIT_CODES } from '../../src/cli/program.ts';
import { OPERATION_HOST_REASONS } from '../../src/domain/hosts/reason-text.ts';
import { phaseGroupOf } from '../../src/domain/rollout/operation-host.ts';
import { EVENT_TYPES, HOST_PHASES, HOST_REASONS, ROLES } from '../../src/domain/vocabulary.ts';
import { clientVariables } from '../harness/documents/cli-document.ts';
import { code } from '../harness/documents/markdown-table.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { PROJECT } from '../harness/programs/process.ts';

test('every reason of a host is explained, and no other', () => {
  const page = documentText('docs/reference/host-reasons.md');
  const explainedIn = (heading: string): readonly string[] => {
    const [, section = ''] = page.split(`\n${heading}\n`);
    const rows = section.slice(0, section.search(/^#/m)).matchAll(/^\| `(\w+)` \|/gm);
    return [...rows].map(([, reason = '']) => reason);
  };
  // The text before the table explains `rebooting`, which is not an error.
  expect([...explainedIn('## Why a host failed'), 'rebooting']).toEqual([...HOST_REASONS]);
  expect(explainedIn('### Why a host failed in an operation')).toEqual([...OPERATION_HOST_REASONS]);
});

test('every phase of a host in an operation is explained, with the part that it belongs to', () => {
  const operations = documentText('docs/concepts/operations.md');
  const missing = HOST_PHASES.filter(
    phase => !operations.includes(`\n| ${code(phase)} | ${phaseGroupOf(phase).replace('_', ' ')} |`),
  );
  expect(missing).toEqual([]);
});

test('every type of event is explained', () => {
  const events = documentText('docs/reference/events.md');
  const firstCells = [...events.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell.split(', '));
  const explained = new Set(firstCells.flat());
  expect(EVENT_TYPES.filter(type => !explained.has(code(type)))).toEqual([]);
});

test('every exit code is explained, and no other', () => {
  const [, section = ''] = documentText('docs/reference/cli.md').split('\n## Exit codes\n');
  const explained = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| (\d+) \|/gm)];
  const INTERRUPTED = 128 + constants.signals.SIGINT;
  expect(explained.map(([, exitCode]) => Number(exitCode))).toEqual([
    ...Object.values(EXIT_CODES),
    INTERRUPTED,
  ]);
});

test('every variable that the client reads is explained, also by the option that it stands for', () => {
  const files = readdirSync(path.join(PROJECT, 'src/cli'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(path.join(PROJECT, 'src/cli', file), 'utf8'));
  const named = new Set(sources.flatMap(source => source.match(/\bHOSTLER_[A-Z_]+/g) ?? []));
  expect([...named].sort()).toEqual([...CLIENT_VARIABLES].sort());
  expect([...clientVariables()].sort()).toEqual([...CLIENT_VARIABLES].sort());
  const page = documentText('docs/reference/cli.md');
  expect(CLIENT_VARIABLES.filter(name => !page.includes(`\n| ${code(name)} |`))).toEqual([]);
});

test('code that is shown as it stands in a file stands there', () => {
  const shown = /\bas in\s`(src\/[^`]+)`:\n\n```ts\n([\s\S]*?)```/g;
  const places = [...documentText('docs/contributing/store.md').matchAll(shown)];
  const strange = places.flatMap(([, file = '', block = '']) => {
    const source = documentText(file);
    return block.split('\n').filter(line => line !== '…' && !source.includes(line));
  });
  expect(strange).toEqual([]);
  expect(places).toHaveLength(1);
});

test('every role is explained', () => {
  const page = documentText('docs/reference/api.md');
  expect(ROLES.filter(role => !page.includes(`\n| ${code(role)} |`))).toEqual([]);
});
