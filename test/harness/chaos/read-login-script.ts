import type { Argv } from '../../../src/domain/command.ts';

/** What a login script asks for. */
export interface WantedCommand {
  /** What is printed on both streams first. */
  readonly mark: string;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** What the command reads. */
  readonly input: string | undefined;
}

const MARK = /^printf '%s\\n' (\w+)$/m;
const EXEC = /^exec (sudo -n -- )?(?=')/m;
/** One word for `sh`: pieces in quotes, with escaped quotes in between. */
const WORD = /((?:'[^']*'|\\')+) /y;

const wordOf = (quoted: string): string => quoted.replaceAll(/'([^']*)'|\\(')/g, '$1$2');

function wordsFrom(text: string, start: number): { words: readonly string[]; end: number } {
  const words: string[] = [];
  WORD.lastIndex = start;
  let end = start;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    words.push(wordOf(found[1] ?? ''));
    end = WORD.lastIndex;
  }
  return { words, end };
}

/** Reads what `loginScript` has written; `undefined` for what it has not. */
export function readLoginScript(script: string): WantedCommand | undefined {
  const mark = MARK.exec(script)?.[1];
  const exec = EXEC.exec(script);
  if (mark === undefined || exec === null) return undefined;
  const { words, end } = wordsFrom(script, exec.index + exec[0].length);
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  const command = { mark, argv: [program, ...args] as const, asRoot: exec[1] !== undefined };
  const rest = script.slice(end);
  if (rest === '</dev/null\n') return { ...command, input: undefined };
  const [from, closing] = [`<<'${mark}'\n`, `${mark}\n`];
  if (!rest.startsWith(from) || !rest.endsWith(closing)) return undefined;
  return { ...command, input: rest.slice(from.length, -closing.length) };
}
