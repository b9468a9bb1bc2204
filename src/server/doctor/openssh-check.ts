import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../lib/errors/error-code.ts';
import { harmless } from '../../lib/text/harmless.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem } from './check.ts';

const WITHIN_MS = 5000;

/** What `ssh` calls itself, such as `OpenSSH_9.2p1`; `undefined`: there is none. */
const versionOf = (path: string | undefined): Promise<string | undefined> =>
  new Promise(resolve => {
    const env = path === undefined ? {} : { PATH: path };
    execFile('ssh', ['-V'], { timeout: WITHIN_MS, env }, (error, _stdout, stderr) =>
      resolve(error ? undefined : harmless(stderr.split(/[ ,]/)[0] ?? '')),
    );
  });

function findUnreadable(file: string | undefined): Finding[] {
  if (file === undefined) return [];
  try {
    accessSync(file, constants.R_OK);
    return [];
  } catch (error) {
    return [
      problem(
        `openssh_config: cannot read ${file} (${errorCode(error)}); the server does not start without it`,
      ),
    ];
  }
}

export const opensshCheck: Check = {
  name: 'OpenSSH',
  settings: ['transport', 'openssh_config'],
  find: async ({ config: { transport, openssh_config }, sources }) => {
    const unreadable = findUnreadable(openssh_config);
    if (unreadable.length > 0) return unreadable;
    const version = await versionOf(sources.environment['PATH']);
    if (version !== undefined) return [ok(`${version} is installed`)];
    return [
      transport === 'openssh'
        ? problem(
            'ssh is not installed, but the transport openssh needs it; install the package openssh-client',
          )
        : ok('ssh is not installed; only the transport openssh needs it'),
    ];
  },
};
