import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import { createLog } from '../lib/log.ts';
import type { ConfigSources } from './configuration/config.ts';
import { loadConfig, unknownVariables } from './configuration/config.ts';
import type { Config } from './configuration/settings.ts';
import { forceExit, programName, version } from './process.ts';
import { findExposedFiles } from './secret-keys.ts';
import type { Service } from './start-service.ts';
import { startService } from './start-service.ts';

/** Container runtimes kill the process ten seconds after the signal. */
const SHUTDOWN_TIMEOUT_MS = 9500;

/** Shuts down gracefully at the first SIGTERM or SIGINT, and exits immediately at the second. */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const onSignal = async (signal: string) => {
    if (isStopping) forceExit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('shutdown timed out');
      forceExit(1);
    }, SHUTDOWN_TIMEOUT_MS);
    await stop();
    log.info('stopped');
    forceExit(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** For `Type=notify`. Node cannot send to a Unix datagram socket. systemd has its own start timeout. */
export function notifySystemd(
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

function formatBanner({ url, firstPassword }: Service, { store, data }: Config): string {
  const lines = [
    `Hostler ${version}`,
    `  Dashboard  ${url}/`,
    `  API        ${url}/api/v0/`,
    `  Docs       ${url}/docs`,
    `  Store      ${store.kind === 'sqlite' ? data : 'PostgreSQL'}`,
  ];
  if (firstPassword) {
    lines.push(
      '',
      'First start. Sign in with:',
      '  user      admin',
      `  password  ${firstPassword.reveal()}`,
      `The password is not shown again. To set a new one: ${programName} admin reset-password`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** `hostler serve`: runs the server until a signal stops it. */
export async function serve(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  const log = createLog(config.log_level, process.stderr.isTTY === true);
  const unknownNames = unknownVariables(sources.environment);
  if (unknownNames.length > 0)
    log.warn({ variables: unknownNames }, 'unknown environment variables that begin with HOSTLER_');
  // SQLite sorts in temporary files. The system's directory can be readable for other users, or not writable.
  process.env['SQLITE_TMPDIR'] ??= path.resolve(config.data);
  const service = await startService(config, log);
  const exposedFiles = findExposedFiles(config);
  if (exposedFiles.length > 0)
    log.warn({ files: exposedFiles }, 'files are accessible to other users; run chmod go= on them');
  stopOnSignals(service.stop, log);
  // The parent process can have closed stdout, or the disk can be full.
  process.stdout.on('error', error => {
    log.warn({ problem: error.message }, 'cannot print the start message');
    if (service.firstPassword)
      log.warn(`the initial admin password was not shown; set a new one: ${programName} admin reset-password`);
  });
  process.stdout.write(formatBanner(service, config));
  notifySystemd(sources.environment, service.url, log);
}
