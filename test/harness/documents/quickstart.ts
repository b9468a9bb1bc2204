import type { DocumentOptions } from './run-document.ts';

/** Values that replace the port and the password of the document. */
export interface QuickstartSettings {
  readonly listen: string;
  readonly sshPort: number;
  /** Value of `HOSTLER_ADMIN_PASSWORD` of the server. */
  readonly password: string;
}

/** How tests run docs/getting-started/quickstart.md. */
export const quickstartOptions = ({ listen, sshPort, password }: QuickstartSettings): DocumentOptions => ({
  substitutions: [
    ['npm start', `npm start -- --listen ${listen}`],
    ['127.0.0.1:8000', listen],
    ["'…'", `'${password}'`],
    ['2222', String(sshPort)],
  ],
  rules: [
    { contains: 'npm start', backgroundUntil: /API +http/ },
    {
      contains: 'settled 127.0.0.1',
      uncomparedReason: 'the facts are those of the machine',
      expectOutput: /"status":"active"/,
    },
    { contains: 'enrol 127.0.0.2', expectOutput: /"reason":"auth_rejected: / },
    { contains: 'other.pub', expectOutput: /\[\{"address":"127.0.0.1".*\{"address":"127.0.0.2"/ },
    { contains: 'dry_run', expectOutput: /runs_hostler_server: / },
    { contains: 'vera:just', errorCodes: ['forbidden'] },
  ],
});
