// What a command has to show, in the form that was asked for. People get tables; scripts get records as the service has them.

import { harmless, LONGEST_SENTENCE, seenJson, showUnseen } from '../../lib/text/harmless.ts';
import type { Terminal } from '../terminal.ts';
import type { Paint, Style } from './style.ts';
import { paintIf } from './style.ts';
import type { Column } from './table.ts';
import { renderTable } from './table.ts';

export const FORMATS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type Format = (typeof FORMATS)[number];

export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly nameOf: (row: Row) => string;
  /** Said instead of an empty table, as "no clusters; create one by: hostler cluster create NAME". */
  readonly whenEmpty: string;
}

/** One line of what is known of a thing. Those without text are left out. */
export interface Field {
  readonly label: string;
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface Showing {
  /** As the service answered. */
  readonly value: unknown;
  readonly name: string;
  readonly fields: readonly Field[];
  /** What comes below, such as a table of parts. */
  readonly below?: string;
}

/** YAML has no way to write it that all readers know. */
const replaced = (text: string) => showUnseen(text, () => '\uFFFD');

export class Printer {
  readonly format: Format;
  readonly paint: Paint;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, format: Format) {
    this.#terminal = terminal;
    this.format = format;
    this.paint = paintIf(terminal.hasColour);
  }

  /** Whether a person reads it, not a program. */
  get isForPeople(): boolean {
    return this.format === 'table' || this.format === 'wide';
  }

  async list<Row>({ rows, columns, nameOf, whenEmpty }: Listing<Row>): Promise<void> {
    if (!this.isForPeople) await this.#forPrograms(rows, rows.map(nameOf));
    else if (rows.length === 0) this.#terminal.tell(`${whenEmpty}\n`);
    else this.#terminal.write(this.table(rows, columns));
  }

  async show({ value, name, fields, below = '' }: Showing): Promise<void> {
    if (!this.isForPeople) {
      await this.#forPrograms(value, [name]);
      return;
    }
    const told = fields.filter(({ text }) => text !== '');
    const width = Math.max(0, ...told.map(({ label }) => label.length)) + 2;
    const lines = told.map(
      ({ label, text, style }) =>
        `${this.paint(`${label}:`.padEnd(width), 'quiet')}${this.paint(harmless(text, LONGEST_SENTENCE), style)}\n`,
    );
    this.#terminal.write(`${lines.join('')}${below === '' ? '' : `\n${below}`}`);
  }

  /** What was done: a sentence for people, the answer for programs. */
  async done(sentence: string, { value, name }: { readonly value: unknown; readonly name: string }) {
    if (this.isForPeople) this.#terminal.write(`${sentence}\n`);
    else await this.#forPrograms(value, [name]);
  }

  /** What was done to several, for programs. */
  async each(done: readonly { readonly value: unknown; readonly name: string }[]): Promise<void> {
    await this.#forPrograms(
      done.map(({ value }) => value),
      done.map(({ name }) => name),
    );
  }

  /** What other programs read: as JSON, if nothing else is said. */
  async raw(value: unknown, names: readonly string[]): Promise<void> {
    await this.#forPrograms(value, names);
  }

  /** As text, for what has more around it. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
    const { isInteractive, columns: room } = this.#terminal;
    const isWide = this.format === 'wide';
    return renderTable(rows, columns, {
      columns: isInteractive ? room : undefined,
      ...{ isWide, paint: this.paint },
    });
  }

  /** One of many values, for programs that read them as they come: JSON in one line, or YAML as a document. */
  async next(value: unknown): Promise<void> {
    if (this.format === 'yaml') this.#write(`---\n${(await import('yaml')).stringify(value)}`, replaced);
    else this.#write(`${JSON.stringify(value)}\n`, seenJson);
  }

  /** A terminal would obey what is unseen; programs get it as it is. */
  #write(text: string, seen: (text: string) => string): void {
    this.#terminal.write(this.#terminal.isInteractive ? seen(text) : text);
  }

  async #forPrograms(value: unknown, names: readonly string[]): Promise<void> {
    if (this.format === 'name') this.#write(names.map(name => `${name}\n`).join(''), replaced);
    else if (this.format === 'yaml') this.#write((await import('yaml')).stringify(value), replaced);
    else this.#write(`${JSON.stringify(value, null, 2)}\n`, seenJson);
  }
}
