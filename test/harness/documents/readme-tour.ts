import type { Reading } from './read-through.ts';

/** Replaced where a reader would take another port, or the password that was printed. */
export interface TourPlace {
  readonly listen: string;
  readonly sshPort: number;
  /** The service is started with it as `HOSTLER_ADMIN_PASSWORD`. */
  readonly password: string;
}

/** How tests type the commands of docs/getting-started/quickstart.md. */
export const quickstartReading = ({ listen, sshPort, password }: TourPlace): Reading => ({
  replaced: [
    ['npm start', `npm start -- --listen ${listen}`],
    ['127.0.0.1:8000', listen],
    ["'…'", `'${password}'`],
    ['2222', String(sshPort)],
  ],
  rules: [
    { has: 'npm start', beside: /API +http/ },
    {
      has: 'settled 127.0.0.1',
      notCompared: 'the facts are those of the machine',
      says: /"status":"active"/,
    },
    { has: 'enrol 127.0.0.2', says: /"reason":"auth_rejected: / },
    { has: 'other.pub', says: /\[\{"address":"127.0.0.1".*\{"address":"127.0.0.2"/ },
    { has: 'dry_run', says: /runs_hostler_server: / },
    { has: 'vera:just', refusals: ['forbidden'] },
  ],
});
