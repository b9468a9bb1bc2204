import { styleText } from 'node:util';
import { harmless } from '../../lib/text/harmless.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { say } from '../say.ts';
import type { Severity } from './check.ts';
import { CHECKS } from './checks.ts';
import type { Examined } from './examine.ts';
import { examine } from './examine.ts';

const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const satisfies Record<Severity, string>;
const SEVERITY_WIDTH = Math.max(...Object.keys(COLOURS).map(severity => severity.length));
const NAME_WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));
const LONGEST = 2000;

function lineOf({ severity, check, detail }: Examined): string {
  const painted = styleText(COLOURS[severity], severity.padEnd(SEVERITY_WIDTH), { stream: process.stdout });
  return `${painted}  ${check.padEnd(NAME_WIDTH)}  ${harmless(detail, LONGEST)}`;
}

/** `hostler doctor`: all that is wrong where the service runs, whether it is running or not. */
export async function runDoctor(
  sources: ConfigSources,
  { isJson }: { readonly isJson: boolean },
): Promise<void> {
  const all: Examined[] = [];
  await examine(sources, systemClock, found => {
    all.push(found);
    if (!isJson) say(lineOf(found));
  });
  const isWell = all.every(({ severity }) => severity !== 'error');
  if (isJson) say(JSON.stringify({ ok: isWell, checks: all }, null, 2));
  if (!isWell) process.exitCode = 1;
}
