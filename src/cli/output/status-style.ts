import type { StatusWord, Tone } from '../../client/tone.ts';
import { operationTone, toneOf } from '../../client/tone.ts';
import type { Style } from './style.ts';

/** `undefined`: nothing is to be said of it, it goes on. */
const STYLES: Readonly<Record<Tone, Style | undefined>> = {
  good: 'good',
  busy: undefined,
  warn: 'doubtful',
  bad: 'bad',
  idle: 'quiet',
};

export const operationStyle = (...of: Parameters<typeof operationTone>): Style | undefined =>
  STYLES[operationTone(...of)];

export const statusStyle = (status: StatusWord): Style | undefined => STYLES[toneOf(status)];
