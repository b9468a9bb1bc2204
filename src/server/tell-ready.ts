import { spawn } from 'node:child_process';
import type { Log } from '../lib/log.ts';

/**
 * Tells systemd that the service can be used, where it asks for that (`Type=notify`). By its own program, since it listens on a socket of
 * a kind that Node has none of. Whether that succeeds changes nothing here: systemd waits, and gives up in its own time.
 */
export function tellReady(
  environment: Readonly<Record<string, string | undefined>>,
  url: string,
  log: Pick<Log, 'warn'>,
): void {
  const { NOTIFY_SOCKET, PATH } = environment;
  if (!NOTIFY_SOCKET) return;
  const fail = (problem: string) => log.warn({ problem }, 'cannot notify systemd that the server is ready');
  const child = spawn('systemd-notify', ['--ready', `--status=listening at ${url}`], {
    env: { NOTIFY_SOCKET, PATH },
    stdio: 'ignore',
  });
  child.once('error', error => fail(error.message));
  child.once('exit', code => {
    if (code !== 0) fail(`systemd-notify exited with status ${code}`);
  });
}
