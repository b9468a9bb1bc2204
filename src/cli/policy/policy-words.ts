import { InvalidArgumentError } from 'commander';
import { readCommand } from '../../client/command-words.ts';
import type { Weekday } from '../../domain/vocabulary.ts';
import { WEEKDAYS } from '../../domain/vocabulary.ts';
import { parseSeconds } from '../durations.ts';
import { readWholeNumber } from '../read-number.ts';

/** A number, or a part of all. */
export const readAmount = (text: string): number | string =>
  /^\d{1,3}%$/.test(text) ? text : readWholeNumber(text);

export const readList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

/** A program and its arguments. There is no shell: whoever needs spaces inside a word writes a JSON list. */
export function readCheck(text: string): readonly string[] {
  const words = readCommand(text);
  if (words === undefined) throw new InvalidArgumentError('It is no JSON list of texts.');
  return words;
}

export function readTimeout(
  text: string,
  before: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> {
  const [, part, length = ''] = /^(stage|apply|reboot|ready)=(.+)$/.exec(text) ?? [];
  if (part === undefined)
    throw new InvalidArgumentError('It must be stage, apply, reboot or ready, =, and how long: reboot=10m.');
  return { ...before, [part]: parseSeconds(length) };
}

const DAYS: readonly string[] = WEEKDAYS;
const dayOf = (text: string): number => DAYS.indexOf(text.toLowerCase());

/** `sat`, or `fri-mon`, which goes over the end of the week. */
function readDays(text: string): readonly Weekday[] {
  const [first = -1, last = first] = text.split('-').map(dayOf);
  if (first < 0 || last < 0)
    throw new InvalidArgumentError(`${text} is no day; they are ${WEEKDAYS.join(', ')}.`);
  const length = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length }, (_, index) => WEEKDAYS[(first + index) % WEEKDAYS.length] as Weekday);
}

export function readWindow(text: string): object {
  const [, days, start, end, zone] = /^(\S+)\s+(\d\d:\d\d)-(\d\d:\d\d)\s+(\S+)$/.exec(text.trim()) ?? [];
  if (days === undefined)
    throw new InvalidArgumentError('It looks like: "mon-fri,sun 22:00-04:00 Europe/Berlin".');
  return { days: [...new Set(readList(days).flatMap(readDays))], start, end, zone };
}
