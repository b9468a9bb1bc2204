import type { Ran } from '../../domain/command.ts';

const decoder = new TextDecoder();

export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Lines of what a command said, without the carriage returns of a terminal. */
export const linesOf = ({ stdout }: Ran): readonly string[] => textOf(stdout).split(/\r?\n/);
