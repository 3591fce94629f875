/** Packages without types of their own, as far as they are used here. */
declare module "html-encoding-sniffer" {
  interface SniffOptions {
    /** By the XML declaration instead of meta elements. */
    xml?: boolean;
    transportLayerEncodingLabel?: string;
    /** Returned where nothing says anything. */
    defaultEncoding?: string;
    /** For HTML only. */
    maxPrescanBytes?: number;
  }
  /** The standard's name of an encoding, or `defaultEncoding`. */
  export default function sniff(bytes: Uint8Array, options?: SniffOptions): string;
}
