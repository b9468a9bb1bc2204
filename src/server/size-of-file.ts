import { statSync } from 'node:fs';

/** For people. */
export const sizeOfFile = (file: string): string => `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;
