import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from './process.ts';

/** Makes the program callable by its name, as where it is installed; answers the folder for the path. */
export function installedHostler(folder: string): string {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${path.join(PROJECT, 'bin/hostler.js')}' "$@"\n`;
  writeFileSync(path.join(folder, 'hostler'), script, { mode: 0o755 });
  return folder;
}
