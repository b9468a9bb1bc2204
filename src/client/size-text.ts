const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** KiB in the largest unit that leaves at least one before the point; empty: not known. */
export function sizeText(kib: number): string {
  if (kib === 0) return '';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(kib) / 10));
  const value = kib / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
