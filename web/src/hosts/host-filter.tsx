import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { TextField } from '../ui/forms/field.tsx';
import { mapFieldErrors } from '../ui/forms/field-errors.ts';
import { findHostAddress, hostFilterText } from './find-host.ts';
import { useHostnames } from './use-hostnames.ts';

/**
 * A filter by host. The user enters a hostname or an address; the filter is the address. Only the last search has a
 * result, and none has one after the user left the page.
 */
export function useHostFilter(address: string | undefined) {
  const text = hostFilterText(address ?? '', useHostnames());
  const { mutateAsync } = useMutation({ mutationFn: (entered: string) => findHostAddress(api, entered) });
  const [error, setError] = useState<unknown>();
  /** What the user entered since the filter changed. */
  const [draft, setDraft] = useState<string>();
  useEffect(() => setDraft(undefined), [address]);
  const lastSearch = useRef(0);
  const stopSearch = () => {
    lastSearch.current += 1;
    setError(undefined);
  };
  const reset = () => {
    stopSearch();
    setDraft(undefined);
  };
  useEffect(
    () => () => {
      lastSearch.current += 1;
    },
    [],
  );

  const find = async (search: HostSearch) => {
    stopSearch();
    const id = lastSearch.current;
    const entered = search.text.trim();
    try {
      const found = entered === text ? (address ?? '') : await mutateAsync(entered);
      if (id === lastSearch.current) search.onFound(found);
    } catch (failure) {
      if (id === lastSearch.current) setError(failure);
    }
  };

  const { byField, formError } = mapFieldErrors(error, ['host']);
  const field = { value: draft ?? text, onChange: setDraft, error: byField['host'] };
  return { text, field, find, reset, error: formError };
}

interface HostSearch {
  /** A hostname, an address or an empty text. */
  readonly text: string;
  readonly onFound: (address: string) => void;
}

interface HostFilterFieldProps {
  readonly filter: Pick<ReturnType<typeof useHostFilter>, 'text' | 'field'>;
  readonly onLeave?: (text: string) => void;
}

export const HostFilterField = ({ filter: { text, field }, onLeave }: HostFilterFieldProps) => (
  <TextField
    label="Host"
    name="host"
    placeholder="Any"
    value={field.value}
    error={field.error}
    onChange={({ target }) => field.onChange(target.value)}
    onBlur={({ target }) => target.value !== text && onLeave?.(target.value)}
  />
);
