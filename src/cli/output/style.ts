import { styleText } from 'node:util';

export type Style = 'good' | 'bad' | 'doubtful' | 'quiet' | 'strong';

const FORMATS = {
  good: 'green',
  bad: 'red',
  doubtful: 'yellow',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Style, string>;

export type Paint = (text: string, style: Style | undefined) => string;

/** Colours say nothing that the words do not say as well. */
export const paintIf =
  (hasColour: boolean): Paint =>
  (text, style) =>
    hasColour && style !== undefined && text !== ''
      ? styleText(FORMATS[style], text, { validateStream: false })
      : text;
