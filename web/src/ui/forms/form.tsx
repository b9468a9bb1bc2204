import type { ReactNode, RefObject } from 'react';
import { useEffect, useRef } from 'react';
import styles from './form.module.css';

interface FormProps {
  /** With what stands in the fields that have a name. */
  readonly onSubmit: (typed: FormData) => void;
  readonly isBusy: boolean;
  /** Why it was refused the last time. */
  readonly problem: unknown;
  readonly children: ReactNode;
}

/** Leads to the first field that is not right, when there is a new problem. */
export function useInvalidFocus(problem: unknown): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem]);
  return element;
}

/** A form that is sent once at a time, keeps what was typed when it is refused, and leads to the first field that is not right. */
export function Form({ onSubmit, isBusy, problem, children }: FormProps) {
  const element = useInvalidFocus(problem);
  return (
    <form
      ref={element}
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}
