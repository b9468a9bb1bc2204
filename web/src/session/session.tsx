// Who is signed in. The password goes to the service once and is kept nowhere; the cookie that it answers is out of reach of scripts.

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { Static } from 'typebox';
import { createClient } from '#client/client.ts';
import type { Account } from '#contract/accounts.ts';
import type { RouteName } from '#contract/index.ts';
import { answerOf, api, CALLER } from '../api/client.ts';
import { live } from '../live/live.ts';
import { useLiveState } from '../live/use-live-state.ts';
import { isUnknownCaller } from './is-unknown-caller.ts';
import { may, whyNot } from './may.ts';
import { onSignedOut, tellSignedOut } from './signed-out.ts';

export type Me = Static<typeof Account>;

/** `unknown`: the service has not answered yet. */
type Known =
  | { readonly state: 'unknown'; readonly problem?: unknown }
  | { readonly state: 'nobody' }
  | { readonly state: 'signed_in'; readonly me: Me; readonly isOver: boolean };

interface Session {
  readonly known: Known;
  signIn(user: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

const TRY_AGAIN_MS = 2000;

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const [known, setKnown] = useState<Known>({ state: 'unknown' });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const me = await answerOf(api.getOwnAccount());
        live.signedIn();
        setKnown({ state: 'signed_in', me, isOver: false });
      } catch (error) {
        if (isUnknownCaller(error)) setKnown({ state: 'nobody' });
        else {
          setKnown({ state: 'unknown', problem: error });
          timer = setTimeout(ask, TRY_AGAIN_MS);
        }
      }
    };
    ask();
    return () => clearTimeout(timer);
  }, []);

  useEffect(
    () =>
      onSignedOut(() =>
        setKnown(before => (before.state === 'signed_in' ? { ...before, isOver: true } : before)),
      ),
    [],
  );

  const liveState = useLiveState();
  const isSignedIn = known.state === 'signed_in' && !known.isOver;
  useEffect(() => {
    if (liveState !== 'signed_out' || !isSignedIn) return;
    // The stream was refused, or another tab has signed out: the service says whether we are known.
    answerOf(api.getOwnAccount()).then(
      () => live.signedIn(),
      error => isUnknownCaller(error) && tellSignedOut(),
    );
  }, [liveState, isSignedIn]);

  const session = useMemo<Session>(
    () => ({
      known,
      signIn: async (user, password) => {
        await createClient({ baseUrl: location.origin, user, password }).beginSession({
          ...CALLER,
          body: {},
        });
        const me = await answerOf(api.getOwnAccount());
        const isOther = known.state === 'signed_in' && known.me.name !== me.name;
        if (isOther) queryClient.clear();
        live.signedIn();
        setKnown({ state: 'signed_in', me, isOver: false });
        queryClient.invalidateQueries();
      },
      signOut: async () => {
        await api.endSession().catch((error: unknown) => {
          if (!isUnknownCaller(error)) throw error;
        });
        live.signedOut();
        queryClient.clear();
        setKnown({ state: 'nobody' });
      },
    }),
    [known, queryClient],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no SessionProvider around this');
  return session;
}

/** Whoever is signed in; only below the gate. */
export function useMe(): Me {
  const { known } = useSession();
  if (known.state !== 'signed_in') throw new Error('nobody is signed in');
  return known.me;
}

/** Whether whoever is signed in may call a route, and why not. */
export function useMay(): { may(name: RouteName): boolean; whyNot(name: RouteName): string } {
  const { role } = useMe();
  return { may: name => may(role, name), whyNot: name => whyNot(role, name) };
}
