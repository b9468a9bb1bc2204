// Reads a document as somebody who types every block of it, in its order, and compares what is said with what the document shows.
// What must hold: nothing is left out but what the table of blocks that are not run names, and nothing is replaced but what the document
// tells its reader to replace.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../process.ts';
import { isNotRun } from './not-run.ts';
import type { ReaderPlace } from './reader-place.ts';
import type { ShellBlock } from './shell-blocks.ts';
import { shellBlocks } from './shell-blocks.ts';
import { ShellSession } from './shell-session.ts';
import { missingLine } from './shown-output.ts';

const DEADLINE_MS = 60_000;

/** What is to be known of a block, beside that it is typed, succeeds, and says what is shown. */
export interface BlockRule {
  /** It is the block that has this. */
  readonly has: string;
  /** Typed in a terminal of its own, where it runs on; the next block waits until this is said. */
  readonly beside?: RegExp;
  /** Ctrl-C is pressed when this was said. */
  readonly leftAt?: RegExp;
  /** Codes of refusals that the document tells of, or that are as good. */
  readonly refusals?: readonly string[];
  /** Commands that fail, as the document says: `exit code: beginning of the command`. */
  readonly failures?: readonly string[];
  /** Why what is shown cannot be compared. */
  readonly notCompared?: string;
  /** What has to be said. */
  readonly says?: RegExp;
  /** What somebody else does before it. */
  readonly before?: () => void | Promise<void>;
}

export interface Reading {
  /** What the document tells to replace: a password for dots, the addresses of one's own servers. */
  readonly replaced?: readonly (readonly [what: string | RegExp, by: string])[];
  /** What the reader has typed before, as the document says. */
  readonly typedBefore?: string;
  readonly rules?: readonly BlockRule[];
}

export const documentText = (document: string): string => readFileSync(path.join(PROJECT, document), 'utf8');

/** The block of a document that has this, as other documents refer to it. */
export function blockOf(document: string, has: string): string {
  const found = shellBlocks(documentText(document)).find(({ text }) => text.includes(has));
  if (found === undefined) throw new Error(`${document} has no block with ${has}`);
  return found.text;
}

const refusalsIn = (output: string) => [...output.matchAll(/"type":"\/docs#(\w+)"/g)].map(([, code]) => code);

function problemsOf(
  rule: BlockRule | undefined,
  shown: string,
  { output, failures }: { readonly output: string; readonly failures: readonly string[] },
): readonly string[] {
  const unforeseen = failures.filter(each => !rule?.failures?.some(failure => each.startsWith(failure)));
  const refused = refusalsIn(output).filter(code => !rule?.refusals?.includes(code ?? ''));
  const missing = rule?.notCompared === undefined ? missingLine(shown, output) : undefined;
  return [
    ...unforeseen.map(failure => `it failed with ${failure}`),
    ...refused.map(code => `it was refused: ${code}`),
    ...(missing === undefined ? [] : [`it does not say what is shown: ${missing}`]),
    ...(rule?.says?.test(output) === false ? [`it does not say ${rule.says}`] : []),
  ];
}

export async function readThrough(document: string, place: ReaderPlace, reading: Reading): Promise<void> {
  const { replaced = [], typedBefore, rules = [] } = reading;
  const asReplaced = (text: string) =>
    replaced.reduce((changed, [what, by]) => changed.replaceAll(what, by), text);
  const blocks = shellBlocks(documentText(document)).filter(block => !isNotRun(document, block));
  const unused = rules.filter(({ has }) => !blocks.some(({ text }) => text.includes(has)));
  if (unused.length > 0) throw new Error(`${document} has no block with ${unused.map(({ has }) => has)}`);
  const sessions = [new ShellSession(place.terminal('terminal'))];
  const [session] = sessions as [ShellSession];
  const type = async (block: ShellBlock, rule: BlockRule | undefined) => {
    const text = asReplaced(block.text);
    await rule?.before?.();
    if (rule?.beside !== undefined) {
      const other = new ShellSession(place.terminal(`beside-${block.line}`));
      sessions.push(other);
      other.begin(text);
      await other.says(rule.beside, DEADLINE_MS);
      return [];
    }
    session.begin(text);
    if (rule?.leftAt !== undefined) {
      await session.says(rule.leftAt, DEADLINE_MS);
      session.interrupt();
    }
    const typed = await session.end(DEADLINE_MS);
    return problemsOf(rule, asReplaced(block.shown), typed).map(problem => `${problem}\n${typed.output}`);
  };
  try {
    if (typedBefore !== undefined) await session.run(asReplaced(typedBefore), DEADLINE_MS);
    for (const block of blocks) {
      const rule = rules.find(({ has }) => block.text.includes(has));
      const problems = await type(block, rule).catch((error: unknown) => [String(error)]);
      if (problems.length > 0)
        throw new Error(`${document}:${block.line}: ${problems.join('\n')}\n--- typed:\n${block.text}`);
    }
  } finally {
    for (const each of sessions) each.interrupt();
    for (const each of sessions) await each.close();
  }
}
