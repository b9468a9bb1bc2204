// Unit tests run without processes, network connections and PostgreSQL, so that they are fast and run anywhere.

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const reject = (action: string) => () => {
  throw new Error(
    `A unit test tried to ${action}. Unit tests must not use processes, ports or PostgreSQL. ` +
      'Rename the file to *.integration.test.ts if it needs them.',
  );
};

for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  Object.assign(childProcess, { [name]: reject('start a process') });
net.Server.prototype.listen = reject('listen on a port or socket');
net.Socket.prototype.connect = reject('connect to a port or socket');
syncBuiltinESMExports();
