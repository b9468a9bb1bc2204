/** What is typed of how far an enrolment token goes; empty: as by default. */
export interface TypedToken {
  readonly uses: string;
  readonly lasts: string;
  readonly lastsUnit: keyof typeof UNIT_S;
  readonly cidr: string;
}

export const UNIT_S = { minutes: 60, hours: 3600, days: 86_400 } as const;

export const NO_WISH: TypedToken = { uses: '', lasts: '', lastsUnit: 'hours', cidr: '' };

/** What is asked for. */
export function tokenWish({ uses, lasts, lastsUnit, cidr }: TypedToken) {
  return {
    ...(uses.trim() !== '' && { uses: Number(uses) }),
    ...(lasts.trim() !== '' && { expires_in_s: Math.round(Number(lasts) * UNIT_S[lastsUnit]) }),
    ...(cidr.trim() !== '' && { cidr: cidr.trim() }),
  };
}
