import { existsSync, statSync } from 'node:fs';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf } from './secret-key.ts';

const OTHERS = 0o077;

/** The data folder and the key file, if others on the machine may open them: most likely not what somebody wanted. */
export function looseFiles(config: Config): readonly string[] {
  const files = [...(config.store.kind === 'sqlite' ? [config.data] : []), keyFileOf(config)];
  return files.filter(file => existsSync(file) && (statSync(file).mode & OTHERS) !== 0);
}
