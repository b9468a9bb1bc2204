const FACTORS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Far longer than any that is one; the pattern takes long for many digits. */
const LONGEST = 64;

/** A quantity of Kubernetes, such as `16393244Ki`, `3920m` or `1e9`, as a number; `undefined` for what is none. */
export function quantityOf(text = ''): number | undefined {
  if (text.length > LONGEST) return undefined;
  const [, number, exponent, suffix = ''] =
    /^\+?([0-9]+\.?[0-9]*|\.[0-9]+)(?:([eE][+-]?[0-9]{1,3})|([A-Za-z]{0,2}))$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  if (exponent !== undefined) return Number(`${number}${exponent}`);
  const factor = Object.hasOwn(FACTORS, suffix) ? FACTORS[suffix] : undefined;
  return factor === undefined ? undefined : Number(number) * factor;
}
