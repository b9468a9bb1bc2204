import type { ButtonHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'usual' | 'small';
  readonly isBusy?: boolean;
  /** Why it cannot be pressed now; it can still be reached, so that the reason is found. */
  readonly whyNot?: string | undefined;
}

export function Button({
  kind = 'plain',
  size = 'usual',
  isBusy = false,
  whyNot,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isOff = isBusy || whyNot !== undefined;
  return (
    <>
      <button
        {...rest}
        type={type}
        className={`${styles.button} ${styles[kind]} ${styles[size]}`}
        aria-disabled={isOff || undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={whyNot === undefined ? rest['aria-describedby'] : reasonId}
        title={whyNot ?? rest.title}
        onClick={event => {
          if (isOff) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {isBusy && <span className={styles.spinner} aria-hidden="true" />}
        {children}
      </button>
      {whyNot !== undefined && (
        <span id={reasonId} className="heard">
          {whyNot}
        </span>
      )}
    </>
  );
}
