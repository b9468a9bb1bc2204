// The service speaks UTC; people type times of their own zone.

const pad = (value: number) => String(value).padStart(2, '0');

/** As a field for times has it; empty for what is none. */
export function localOf(utc: string): string {
  const at = new Date(utc.length === 10 ? `${utc}T00:00Z` : `${utc}Z`);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** As the service takes it; empty for what is none. */
export function utcOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 16);
}
