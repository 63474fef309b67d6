//! Our tree beside another implementation of RFC 6962 under the same hash.

use super::*;
use ct_merkle::digest::Output;
use ct_merkle::mem_backed_tree::MemoryBackedTree;
use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};

type Theirs = MemoryBackedTree<blake3::Hasher, Hash>;

fn record(number: u64) -> RecordHash {
    RecordHash(*blake3::hash(&number.to_le_bytes()).as_bytes())
}

fn output(hash: &Hash) -> Output<blake3::Hasher> {
    (*hash).into()
}

fn their_root(root: &Hash, size: u64) -> RootHash<blake3::Hasher> {
    RootHash::new(output(root), size)
}

/// Both trees, and every root of ours, up to `size`.
fn both(size: u64) -> (Tree, Theirs) {
    let (mut ours, mut theirs) = (Tree::default(), Theirs::new());
    for number in 0..size {
        ours.push(&record(number));
        theirs.push(record(number).0);
    }
    (ours, theirs)
}

#[test]
fn roots_are_those_of_the_other_implementation() {
    let (ours, mut theirs) = (Tree::of((0..400).map(record)), Theirs::new());
    assert_eq!(ours.root_at(0), Some(theirs.root().as_bytes().0));
    for size in 1..=400 {
        theirs.push(record(size - 1).0);
        assert_eq!(ours.root_at(size), Some(theirs.root().as_bytes().0), "{size}");
        assert_eq!(ours.root_at(size), Some(Tree::of((0..size).map(record)).root()));
    }
    assert_eq!(ours.root_at(401), None);
}

#[test]
fn inclusion_is_proved_as_the_other_implementation_does() {
    for size in (1..=70).chain([127, 128, 129, 255, 256, 300]) {
        let (ours, theirs) = both(size);
        let root = ours.root();
        for index in 0..size {
            let proof = ours.inclusion(index, size).expect("it is there");
            let expected = theirs.prove_inclusion(index as usize);
            assert_eq!(proof.concat(), expected.as_bytes(), "{index} of {size}");
            assert!(includes(&root, size, index, &record(index), &proof));
            let proof = InclusionProof::from_digests(&proof.iter().map(output).collect::<Vec<_>>());
            let checked = their_root(&root, size).verify_inclusion(&record(index).0, index, &proof);
            assert!(checked.is_ok());
        }
        assert_eq!(ours.inclusion(size, size), None);
        assert_eq!(ours.inclusion(0, size + 1), None);
    }
}

#[test]
fn an_inclusion_proof_shows_nothing_else() {
    for size in 1..=40 {
        let tree = Tree::of((0..size).map(record));
        let root = tree.root();
        for index in 0..size {
            let proof = tree.inclusion(index, size).expect("it is there");
            for other in (0..size).filter(|other| *other != index) {
                assert!(!includes(&root, size, index, &record(other), &proof));
                assert!(!includes(&root, size, other, &record(index), &proof));
            }
            assert!(!includes(&root, size, index + size, &record(index), &proof));
            for place in 0..proof.len() {
                let mut damaged = proof.clone();
                damaged[place][7] ^= 1;
                assert!(!includes(&root, size, index, &record(index), &damaged));
            }
            let longer = [&proof[..], &[[0; 32]]].concat();
            assert!(!includes(&root, size, index, &record(index), &longer));
            let shorter = proof.split_last();
            assert!(shorter.is_none_or(|(_, s)| !includes(&root, size, index, &record(index), s)));
        }
    }
}

#[test]
fn consistency_is_proved_as_the_other_implementation_does() {
    for size in 1..=64 {
        let (ours, theirs) = both(size);
        let root = ours.root();
        for old in 1..=size {
            let proof = ours.consistency(old, size).expect("it was there");
            let expected = theirs.prove_consistency((size - old) as usize);
            assert_eq!(proof.concat(), expected.as_bytes(), "{old} to {size}");
            let old_root = ours.root_at(old).expect("it was there");
            assert!(extends(old, &old_root, size, &root, &proof), "{old} to {size}");
            let theirs =
                ConsistencyProof::from_digests(&proof.iter().map(output).collect::<Vec<_>>());
            let (before, after) = (their_root(&old_root, old), their_root(&root, size));
            assert!(after.verify_consistency(&before, &theirs).is_ok());
        }
        assert_eq!(ours.consistency(0, size), None);
        assert_eq!(ours.consistency(size + 1, size), None);
    }
}

#[test]
fn a_consistency_proof_shows_nothing_else() {
    for size in 2..=33 {
        let tree = Tree::of((0..size).map(record));
        let root = tree.root();
        for old in 1..=size {
            let proof = tree.consistency(old, size).expect("it was there");
            let old_root = tree.root_at(old).expect("it was there");
            for other in 1..=size + 1 {
                let other_root = tree.root_at(other).unwrap_or([9; 32]);
                let same = other == old;
                assert_eq!(extends(old, &other_root, size, &root, &proof), same);
                assert_eq!(extends(other, &other_root, size, &root, &proof), same, "{other} {old}");
                let whole = other == size;
                assert_eq!(extends(old, &old_root, size, &other_root, &proof), whole);
            }
            for place in 0..proof.len() {
                let mut damaged = proof.clone();
                damaged[place][31] ^= 128;
                assert!(!extends(old, &old_root, size, &root, &damaged));
            }
            let longer = [&proof[..], &[[0; 32]]].concat();
            assert!(!extends(old, &old_root, size, &root, &longer));
            let shorter = proof.split_last();
            assert!(shorter.is_none_or(|(_, s)| !extends(old, &old_root, size, &root, s)));
        }
    }
}

#[test]
fn sizes_at_the_end_of_what_is_possible_are_no_trouble() {
    let proof = vec![[3; 32]; 64];
    for size in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) + 1] {
        for index in [0, 1, size / 2, size - 1, size] {
            assert!(!includes(&[1; 32], size, index, &record(1), &proof));
            assert!(!extends(index, &[2; 32], size, &[1; 32], &proof));
        }
    }
    assert!(!includes(&[1; 32], 0, 0, &record(1), &[]));
    assert!(!extends(0, &Tree::default().root(), 0, &Tree::default().root(), &[]));
}
