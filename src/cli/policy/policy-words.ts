import { InvalidArgumentError } from 'commander';
import { readCommand } from '../../client/command-words.ts';
import type { Weekday } from '../../domain/vocabulary.ts';
import {
  LABEL_KEY_MESSAGE,
  LABEL_KEY_PATTERN,
  LABEL_VALUE_PATTERN,
  WEEKDAYS,
} from '../../domain/vocabulary.ts';
import { several } from '../command-line.ts';
import { parseSeconds } from '../durations.ts';
import { readWholeNumber } from '../read-number.ts';

/** A number, or a part of all. */
export function readAmount(text: string): number | string {
  if (/^\d{1,3}%$/.test(text)) return text;
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError('It must be a whole number or a percentage, for example 3 or 25%.');
  return readWholeNumber(text);
}

export const readList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

const LABEL_FILTER = new RegExp(`^${LABEL_KEY_PATTERN}(=${LABEL_VALUE_PATTERN})?$`);

/** A label filter of an option that can be repeated. */
export function readLabelFilter(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!LABEL_FILTER.test(text))
    throw new InvalidArgumentError(`It must be key=value or key. The key ${LABEL_KEY_MESSAGE}.`);
  return several(text, before);
}

/** A program and its arguments. There is no shell: whoever needs spaces inside a word writes a JSON list. */
export function readCheck(text: string): readonly string[] {
  const words = readCommand(text);
  if (words === undefined) throw new InvalidArgumentError('It must be a JSON array of strings.');
  if (words.length === 0) throw new InvalidArgumentError('It must be a command. Use --no-check for none.');
  return words;
}

export function readTimeout(
  text: string,
  before: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> {
  const [, part, length = ''] = /^(stage|apply|reboot|ready)=(.+)$/.exec(text) ?? [];
  if (part === undefined)
    throw new InvalidArgumentError(
      'It must be PART=DURATION, for example reboot=10m. The parts are stage, apply, reboot and ready.',
    );
  return { ...before, [part]: parseSeconds(length) };
}

const DAYS: readonly string[] = WEEKDAYS;
const dayOf = (text: string): number => DAYS.indexOf(text.toLowerCase());

/** `sat`, or `fri-mon`, which goes over the end of the week. */
function readDays(text: string): readonly Weekday[] {
  const [first = -1, last = first] = text.split('-').map(dayOf);
  if (first < 0 || last < 0)
    throw new InvalidArgumentError(`Unknown day "${text}". The days are ${WEEKDAYS.join(', ')}.`);
  const length = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length }, (_, index) => WEEKDAYS[(first + index) % WEEKDAYS.length] as Weekday);
}

const WINDOW = /^(\S+)\s+((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)\s+(\S+)$/;

export function readWindow(text: string): object {
  const [, days, start, end, zone] = WINDOW.exec(text.trim()) ?? [];
  if (days === undefined)
    throw new InvalidArgumentError('It must look like "mon-fri,sun 22:00-04:00 Europe/Berlin".');
  return { days: [...new Set(readList(days).flatMap(readDays))], start, end, zone };
}
