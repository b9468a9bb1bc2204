import { existsSync, statSync } from 'node:fs';
import { isOpenToOthers } from '../../lib/is-open-to-others.ts';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf } from './secret-key.ts';

/** The data directory and the key file, if other users of the machine can open them. */
export function looseFiles(config: Config): readonly string[] {
  const files = [...(config.store.kind === 'sqlite' ? [config.data] : []), keyFileOf(config)];
  return files.filter(file => existsSync(file) && isOpenToOthers(statSync(file)));
}
