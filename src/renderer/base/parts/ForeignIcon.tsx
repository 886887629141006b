import type { ReactNode } from 'react';
import { useState } from 'react';
import './foreign-icon.css';

export interface ForeignIconProps {
  /** A picture that a server brought along; in an image nothing of it can run or fetch. */
  src: string | undefined;
  size: 16 | 20;
  /** In its place where there is none, or none that can be drawn. */
  children?: ReactNode;
}

export function ForeignIcon({ src, size, children }: ForeignIconProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (src === undefined || src === broken) return children;
  return (
    <img
      className="foreign-icon"
      src={src}
      alt=""
      width={size}
      height={size}
      draggable={false}
      onError={() => setBroken(src)}
    />
  );
}
