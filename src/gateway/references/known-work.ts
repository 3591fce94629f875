/** A work as a scholarly service holds it. */
export interface KnownWork {
  service: string;
  title: string;
  authors: string[];
  retracted: boolean;
}
