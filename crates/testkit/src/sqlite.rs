//! SQLite databases made to keep their reader busy.

const LEVELS: u32 = 12;
const CHILDREN: u16 = 200;

/// Puts pages between the table at page `root`, of one page, and its rows: each has the next one as its child 200 times, so that
/// the table has more rows than anybody counts.
pub fn make_endless(bytes: &mut Vec<u8>, root: u32) {
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let place = |page: u32| size * (page as usize - 1);
    let last = u32::try_from(bytes.len() / size).expect("a small file");
    let leaf = bytes[place(root)..][..size].to_vec();
    let interior = |child: u32| {
        let mut page = vec![0; size];
        let start = size - 5 * usize::from(CHILDREN);
        page[0] = 5;
        page[3..5].copy_from_slice(&CHILDREN.to_be_bytes());
        page[5..7].copy_from_slice(&u16::try_from(start).expect("a small page").to_be_bytes());
        page[8..12].copy_from_slice(&child.to_be_bytes());
        for cell in 0..usize::from(CHILDREN) {
            let at = start + 5 * cell;
            page[at..at + 4].copy_from_slice(&child.to_be_bytes());
            page[at + 4] = 1;
            page[12 + 2 * cell..14 + 2 * cell].copy_from_slice(&u16::try_from(at).expect("a small page").to_be_bytes());
        }
        page
    };
    bytes[place(root)..][..size].copy_from_slice(&interior(last + 1));
    for level in 1..=LEVELS {
        bytes.extend(if level == LEVELS { leaf.clone() } else { interior(last + level + 1) });
    }
    bytes[28..32].copy_from_slice(&(last + LEVELS).to_be_bytes());
}
